import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;

/** Reads bodies with Tomcat, as a server on a port that it prints; its argument is a folder for its files. */
public class ReadBody extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("application/json");
        response.getWriter().print(answer(request));
    }

    private static String answer(HttpServletRequest request) {
        try {
            return "[" + String.join(",", read(request)) + "]";
        } catch (Exception error) {
            return "\"" + error.toString().replaceAll("[^ -~]", "?").replaceAll("[\"\\\\]", "'") + "\"";
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

    private static String value(String name, String kind, byte[] data) {
        return String.format("[\"%s\",\"%s\",\"%s\"]", name, kind, Base64.getEncoder().encodeToString(data));
    }

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[0]);
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setMaxPostSize(-1);
        Context context = tomcat.addContext("", arguments[0]);
        // As the web.xml that comes with Tomcat 10 says; an embedded one does not read it.
        context.setRequestCharacterEncoding("UTF-8");
        Wrapper wrapper = Tomcat.addServlet(context, "reader", new ReadBody());
        wrapper.setMultipartConfigElement(new MultipartConfigElement(arguments[0]));
        context.addServletMappingDecoded("/", "reader");
        tomcat.start();
        System.out.println(tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }
}
