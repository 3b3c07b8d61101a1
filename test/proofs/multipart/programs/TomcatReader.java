import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;

/** Reads bodies with Tomcat, as a server on the port it is given; its second argument is a folder for its files. */
public class TomcatReader extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("application/json");
        response.getWriter().print(answer(request));
    }

    private static String answer(HttpServletRequest request) {
        try {
            return "[" + String.join(",", read(request)) + "]";
        } catch (Exception error) {
            String message = error.toString().replaceAll("[^ -~]", "?").replaceAll("[\"\\\\]", "'");
            return "{\"error\":\"" + message + "\"}";
        }
    }

    private static List<String> read(HttpServletRequest request) throws Exception {
        List<String> found = new ArrayList<>();
        if (request.getContentType().startsWith("multipart/")) {
            for (Part part : request.getParts()) {
                boolean isText = part.getSubmittedFileName() == null;
                byte[] data = isText
                    ? request.getParameter(part.getName()).getBytes(StandardCharsets.UTF_8)
                    : part.getInputStream().readAllBytes();
                found.add(value(part.getName(), isText ? "text" : "file", data));
                part.delete();
            }
        } else {
            for (var entry : request.getParameterMap().entrySet())
                for (String text : entry.getValue())
                    found.add(value(entry.getKey(), "text", text.getBytes(StandardCharsets.UTF_8)));
        }
        return found;
    }

    private static String value(String name, String kind, byte[] data) throws Exception {
        String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
        String form = "{\"name\":\"%s\",\"kind\":\"%s\",\"size\":%d,\"sha256\":\"%s\"}";
        return String.format(form, name, kind, data.length, digest);
    }

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setMaxPostSize(-1);
        Context context = tomcat.addContext("", arguments[1]);
        // As the web.xml that comes with Tomcat 10 says; an embedded one does not read it.
        context.setRequestCharacterEncoding("UTF-8");
        Wrapper wrapper = Tomcat.addServlet(context, "reader", new TomcatReader());
        wrapper.setMultipartConfigElement(new MultipartConfigElement(arguments[1]));
        context.addServletMappingDecoded("/", "reader");
        tomcat.start();
        System.out.println("started");
        tomcat.getServer().await();
    }
}
